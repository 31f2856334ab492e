"""The pages of the app, one question each; shared parts are in `pages.parts`."""
