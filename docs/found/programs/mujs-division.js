var y = 4;
print(y++ / 2);
