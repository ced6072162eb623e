object Test {
  var moves: Int = 0
  var compared: Int = 0

  def place(items: Array[Int], key: Int, count: Int): Int = {
    var at: Int = count
    var steps: Int = 0
    while (at > 0 && { compared += 1; items(at - 1) > key }) {
      items(at) = items(at - 1)
      at -= 1
      steps += 1
    }
    items(at) = key
    moves += steps
    steps
  }

  def main(words: Array[String]): Unit = {
    val items: Array[Int] = new Array[Int](8)
    var key: Int = 7
    var count: Int = 0
    while (count < 8) {
      place(items, key, count)
      key = (key * 5 + 3) % 16
      count += 1
    }
    println(items.mkString(" ") + " " + moves + " " + compared)
  }
}
