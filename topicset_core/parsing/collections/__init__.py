"""Documents and topics of a small collection, and the collection as a whole."""
