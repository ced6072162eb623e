class Stock(start: Int) {
  private var held: Int = start
  private var taken: Int = 0

  def take(count: Int, most: Int): Int = {
    val left: Int = held - count
    if (left < 0 || count > most) throw new IllegalArgumentException("of " + most)
    held = left
    taken += count
    left
  }

  def total: Int = held * 100 + taken
}

object Test {
  def attempt(stock: Stock, first: Int, second: Int): Int = {
    var failed: Int = 0
    var got: Int = first
    try {
      got = stock.take(first, second)
      got += stock.take(second, first + second)
    } catch {
      case _: IllegalArgumentException if got > failed => failed += 1
      case _: IllegalArgumentException => failed += 2
    } finally {
      got = got * 2 + failed
    }
    got - failed
  }

  def main(words: Array[String]): Unit = {
    val stock = new Stock(20)
    var a: Int = attempt(stock, 3, 4)
    var b: Int = attempt(stock, 9, 2)
    a += attempt(stock, b, a)
    b -= a
    println(a + " " + b + " " + stock.total)
  }
}
