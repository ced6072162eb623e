object Test {
  def fold(text: String, mark: String, times: Int): String = {
    var made: String = text
    var rest: String = mark
    var left: Int = times
    val most: Int = 24
    do {
      made = s"$made$rest${left + most}"
      if (made.length > most) {
        rest = made.substring(0, left)
        made = made.substring(left)
      }
      left -= 1
    } while (left > 0)
    made + rest
  }

  def main(words: Array[String]): Unit = {
    val one: String = fold("ab", "-", 5)
    val two: String = fold(one, "+", 3)
    println(one + " " + two)
  }
}
