print(String.fromCharCode(65601) === "A");
