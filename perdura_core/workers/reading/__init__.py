"""Reading without a language model: pure functions from texts to words, quantities, judgements and conflicts."""
