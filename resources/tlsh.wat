;; The loop of TLSH over bytes, which takes 2.5 times as long in JavaScript. server/engine/similarity/tlsh.ts fills the tables and reads
;; the counts. wat2wasm resources/tlsh.wat -o resources/tlsh.wasm
;;
;; 0: a permutation of all bytes. 256, 512 … 1792: hashes of each byte behind the salts 0, 2, 3, 5, 7, 11 and 13. 2048: how often
;; each hash came, before it is permuted for the last time, in 256 words. 3072: the last four bytes, the very last one first.
;; 3076: the checksum. 4096: the bytes to read.
(module
  (memory (export "memory") 2)
  (func $count (param $salted i32) (param $second i32) (param $third i32)
    (local $place i32)
    (local.set $place
      (i32.shl
        (i32.xor (i32.load8_u (i32.xor (i32.load8_u (local.get $salted)) (local.get $second))) (local.get $third))
        (i32.const 2)))
    (i32.store offset=2048 (local.get $place) (i32.add (i32.load offset=2048 (local.get $place)) (i32.const 1))))
  (func (export "update") (param $length i32)
    (local $at i32) (local $end i32)
    (local $w0 i32) (local $w1 i32) (local $w2 i32) (local $w3 i32) (local $w4 i32) (local $checksum i32)
    (local.set $w1 (i32.load8_u (i32.const 3072)))
    (local.set $w2 (i32.load8_u (i32.const 3073)))
    (local.set $w3 (i32.load8_u (i32.const 3074)))
    (local.set $w4 (i32.load8_u (i32.const 3075)))
    (local.set $checksum (i32.load8_u (i32.const 3076)))
    (local.set $at (i32.const 4096))
    (local.set $end (i32.add (local.get $length) (i32.const 4096)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $w0 (i32.load8_u (local.get $at)))
        (local.set $checksum
          (i32.load8_u
            (i32.xor
              (i32.load8_u (i32.xor (i32.load8_u offset=256 (local.get $w0)) (local.get $w1)))
              (local.get $checksum))))
        (call $count (i32.add (local.get $w0) (i32.const 512)) (local.get $w1) (local.get $w2))
        (call $count (i32.add (local.get $w0) (i32.const 768)) (local.get $w1) (local.get $w3))
        (call $count (i32.add (local.get $w0) (i32.const 1024)) (local.get $w2) (local.get $w3))
        (call $count (i32.add (local.get $w0) (i32.const 1280)) (local.get $w2) (local.get $w4))
        (call $count (i32.add (local.get $w0) (i32.const 1536)) (local.get $w1) (local.get $w4))
        (call $count (i32.add (local.get $w0) (i32.const 1792)) (local.get $w3) (local.get $w4))
        (local.set $w4 (local.get $w3))
        (local.set $w3 (local.get $w2))
        (local.set $w2 (local.get $w1))
        (local.set $w1 (local.get $w0))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
    (i32.store8 (i32.const 3072) (local.get $w1))
    (i32.store8 (i32.const 3073) (local.get $w2))
    (i32.store8 (i32.const 3074) (local.get $w3))
    (i32.store8 (i32.const 3075) (local.get $w4))
    (i32.store8 (i32.const 3076) (local.get $checksum))))
