; datatypes acyclic
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Tree 0)) (((leaf (value Int)) (node (left Tree) (right Tree)))))
(declare-const t Tree)
(assert (= t (node t (leaf 1))))
(check-sat)
