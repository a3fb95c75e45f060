"""Parts of the window that know Qt and the theme only, never the notes."""
