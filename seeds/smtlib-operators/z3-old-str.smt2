; The last place, which z3 had.
(set-logic ALL)
(declare-const s String)
(declare-const t String)
(declare-const u String)
(declare-const i Int)
(declare-const j Int)
(assert (= (str.last_indexof s t) i))
(check-sat)
