-- Functions that keep variables of the functions around them.
local function counter(start, step)
  local seen, last = 0, start
  local function up(by)
    local before = last
    last = (last + step * by) % 1000
    seen = seen + 1
    return before, last
  end
  local function said(more)
    return seen + more, last - start
  end
  return up, said
end
local up, said = counter(3, 2)
print(up(1), up(4))
print(said(10))
for i = 1, 3 do
  local kept = i * 2
  local function both(other) kept = kept + other return kept - i end
  print(both(i), both(kept))
end
