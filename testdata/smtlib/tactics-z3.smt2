; tactics z3
(set-info :status sat)
(declare-const x (_ BitVec 8))
(assert (= (bvmul x x) #x31))
(check-sat-using (then simplify (using-params bit-blast :max_memory 100) sat))
(simplify (bvadd x #x00) :som true)
