"""The topics of the settings page, one module each."""
