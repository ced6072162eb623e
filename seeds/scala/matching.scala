sealed abstract class Shape
case class Square(side: Int) extends Shape
case class Box(width: Int, height: Int) extends Shape
case object Point extends Shape

object Test {
  def area(shape: Shape, scale: Int, least: Int): Int = {
    var found: Int = least
    var turns: Int = scale
    shape match {
      case Square(side) if side > turns =>
        found = side * side
        turns += 1
      case Square(_) => turns -= 1
      case Box(width, height) =>
        val whole: Int = width * height
        val part: Int = whole / scale
        found = if (whole > least) whole - part else part
      case Point => ()
    }
    found + turns
  }

  def main(words: Array[String]): Unit = {
    var sum: Int = 0
    var last: Int = 1
    for (shape <- List(Square(3), Box(4, 5), Point, Square(1))) {
      last = area(shape, 2, last)
      sum += last
    }
    println(sum + " " + last)
  }
}
