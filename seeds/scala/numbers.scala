object Test {
  def mix(small: Byte, wide: Short, text: Char): Int = {
    var low: Int = small + wide
    var high: Int = wide - text
    val mask: Int = 0x3f
    low = (low << 3) | (high >>> 5)
    high ^= low & mask
    low - high
  }

  def slope(x: Double, y: Double, n: Int): Double = {
    var sum: Double = x
    var part: Double = y
    var turn: Int = 0
    while (turn < n) {
      sum += part / 2
      part = sum - y * turn
      turn += 1
    }
    if (sum < part) part - sum else sum
  }

  def main(words: Array[String]): Unit = {
    val a: Int = mix(-7, 300, 'k')
    val b: Int = mix(100, -2, 'B')
    val c: Double = slope(1.5, -0.25, 6)
    println(a + " " + b + " " + c + " " + (a % 17 - b / 3))
  }
}
