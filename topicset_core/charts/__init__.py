"""Parts that the figures of several analyses share; none of it computes anything."""
