"""Results as bytes and texts to take home: one module a format."""
