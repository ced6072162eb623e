object Test extends App {
  def twice(f: Int => Int, start: Int): Int = {
    var inner: Int = start
    var count: Int = 0
    val step = (n: Int) => { count += 1; inner += f(n); inner }
    val first: Int = step(start)
    val second: Int = step(first)
    first + second * count
  }

  def run(low: Int, high: Int): Long = {
    var all: Long = 0L
    var seen: Long = 1L
    for (n <- low to high) {
      val here: Int = twice(m => m * low + high, n)
      all += here
      seen = seen * 31 + all
    }
    all ^ seen
  }

  println(run(1, 4) + " " + run(-2, 3))
}
