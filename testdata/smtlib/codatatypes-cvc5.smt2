; codatatypes cvc5
(set-logic ALL)
(set-info :status sat)
(declare-codatatypes ((Stream 0)) (((more (first Int) (rest Stream)))))
(declare-const s Stream)
(assert (= s (more 1 s)))
(check-sat)
