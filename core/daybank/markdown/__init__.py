"""Reading Markdown: bytes → blocks → passages and pages. Pure; knows no folder and no index."""
