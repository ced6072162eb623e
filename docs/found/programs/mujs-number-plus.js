print(Number("+7"));
