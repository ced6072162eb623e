-- Keys that are numbers and texts; what is written, read again and counted.
local function fill(low, high, gap)
  local held, count, sum = {}, 0, 0
  for at = low, high do
    if at - low > 40 then break end
    held[at] = (at * gap) % 100
    if at % 2 == 0 then held["k" .. at] = at end
    count = count + 1
  end
  for at = low, low + 40 do
    local one = held[at]
    if one then sum = sum + one else break end
    if held["k" .. at] == at then sum = sum + 1000 end
  end
  return string.format("%d:%d", count, sum)
end
print(fill(1, 6, 3))
print(fill(-2, 2, 7))
