; A datatype that contains itself through an array: segmentation fault.
; No status: z3 5.4.0 says unsat, cvc5 1.4.2 does not take this type.
; Bad: z3 4.8.0 (post1) and 4.8.5 (crash); cvc4 1.8 (crash). Good: from z3 4.8.6 on.
(set-logic ALL)
(declare-datatypes ((Tree 0)) (((leaf) (node (kids (Array Int Tree))))))
(declare-fun x () Tree)
(assert ((_ is node) x))
(assert (= x (select (kids x) 0)))
(check-sat)
