"""TREC runs and relevance judgments: lines of columns, read as trec_eval reads them."""
