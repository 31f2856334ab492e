"""Pieces that pages share: the frame, forms, links, data, figures, downloads, caching."""
