"""Made by `npm run openapi`."""
