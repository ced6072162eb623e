FUEL = 100
-- Texts that are cut, joined and compared, with results that several variables take.
local function cut(text, first, last)
  local before = text:sub(1, first)
  local middle = string.sub(text, first + 1, last)
  local found, stop = string.find(text, middle, 1, true)
  if middle < before then before, middle = middle, before end
  return before .. "|" .. middle, (found or 0) .. "-" .. (stop or 0)
end
local function twice(word, times)
  local all, done = word, 1
  while done < times and FUEL > 0 do
    FUEL = FUEL - 1
    all = (all .. word):sub(-40)
    done = done + 1
  end
  return #all, all
end
print(cut("touchstone", 3, 7))
print(cut("assay", 1, 4))
print(twice("ab", 3))
