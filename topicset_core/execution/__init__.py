"""How work is cut, drawn and carried: batches, seeds, random streams, transport to processes and clusters."""
