print("MoviesCLI")
