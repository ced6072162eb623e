; A datatype that contains itself through a sequence: segmentation fault.
; No status: z3 5.4.0 says unsat, cvc5 1.4.2 does not take this type.
; Bad: z3 4.8.0 (post1) to 4.8.16 (crash). Good: from 4.8.17 on.
(set-logic ALL)
(declare-datatypes ((Tree 0)) (((leaf) (node (kids (Seq Tree))))))
(declare-fun x () Tree)
(assert ((_ is node) x))
(assert (= (kids x) (seq.unit x)))
(check-sat)
