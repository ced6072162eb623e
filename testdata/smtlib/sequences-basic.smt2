; sequences basic
(set-logic ALL)
(set-info :status sat)
(declare-const s (Seq Int))
(assert (= (seq.len s) 3))
(assert (= (seq.nth s 1) 5))
(assert (seq.prefixof (seq.unit 2) s))
(assert (distinct (seq.extract s 1 2) (as seq.empty (Seq Int))))
(check-sat)
