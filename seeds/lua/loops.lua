-- Loops that are left early, and numbers that stay small. A global variable is no hole: it ends every loop.
FUEL = 300
local function climb(from, to, step)
  local rounds, best = 0, 0
  while from < to do
    FUEL = FUEL - 1
    if FUEL < 0 then break end
    rounds = rounds + 1
    if rounds % 3 == 0 then
      from = (from + step) % 1000
    else
      from = from % 1000 + 1
    end
    if best < from then best = from end
  end
  repeat
    rounds = rounds - 1
    to = (to - rounds) % 1000
    FUEL = FUEL - 1
  until rounds <= 0 or FUEL < 0
  return best, rounds, to
end
print(climb(0, 9, 2))
print(climb(5, 30, 7))
