"""What the words of a statement say by themselves: stems, quantities, measures, names. Pure and deterministic."""
