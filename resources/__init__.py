"""Icons, styles, translations and the sample folder, shipped as the package `daybank_resources`."""
