"""What comes in from elsewhere: documents into facts, minds in other formats, and the sample mind."""
