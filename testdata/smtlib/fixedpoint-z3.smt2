; fixedpoint z3
(declare-rel reach (Int))
(declare-var n Int)
(rule (=> (= n 0) (reach n)))
(query reach :print-answer true)
