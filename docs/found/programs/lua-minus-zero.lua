local v = 0 % 10
v = (-(0 / 2))
print(string.format("%.14g", v))
