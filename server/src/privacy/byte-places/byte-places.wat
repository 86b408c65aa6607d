;; Finds the bytes of a text that may be part of a number, or are read as others: 16 at a time, without a branch for those that are neither.
;; See index.ts, which drives it. After a change: node tools/assemble-wasm.mjs
(module
  ;; The block to be read at $BLOCK, the places found at $PLACES: as many as the block has bytes, two bytes each.
  (memory (export "memory") 1)

  (global $BLOCK (export "BLOCK") i32 (i32.const 0))
  (global $BLOCK_BYTES (export "BLOCK_BYTES") i32 (i32.const 0x4000))
  ;; Behind the block is room for a read beyond its end.
  (global $PLACES (export "PLACES") i32 (i32.const 0x4010))

  ;; The bytes of a vector that matter. Each half of a byte looks up a bit for each kind, and those matter whose halves share one:
  ;; 1 digits, 2 the backslash, 4 the percent sign, 8 and 16 first bytes of two-byte characters (c2 cd, d8 d9 db), 32 of three-byte
  ;; ones (e1 e2 e3 ef), 64 of four-byte ones (f0).
  (func $matter (param $bytes v128) (result v128)
    (i8x16.ne
      (v128.and
        (i8x16.swizzle
          (v128.const i8x16 65 33 41 33 1 5 1 1 17 17 0 16 2 8 0 32)
          (v128.and (local.get $bytes) (i8x16.splat (i32.const 15))))
        (i8x16.swizzle
          (v128.const i8x16 0 0 4 1 0 2 0 0 0 0 0 0 8 16 32 64)
          (i8x16.shr_u (local.get $bytes) (i32.const 4))))
      (v128.const i64x2 0 0)))

  ;; Reads a block of so many bytes. Returns how many places were found; they ascend, from the block's begin.
  (func (export "read") (param $size i32) (result i32)
    (local $at i32) (local $bits i32) (local $to i32) (local $rest i32)
    (local.set $to (global.get $PLACES))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $size)))
        (local.set $bits (i8x16.bitmask (call $matter (v128.load (i32.add (global.get $BLOCK) (local.get $at))))))
        ;; What stands behind the end is of an earlier block.
        (local.set $rest (i32.sub (local.get $size) (local.get $at)))
        (if (i32.lt_u (local.get $rest) (i32.const 16))
          (then
            (local.set $bits
              (i32.and (local.get $bits) (i32.sub (i32.shl (i32.const 1) (local.get $rest)) (i32.const 1))))))
        (block $none
          (loop $each
            (br_if $none (i32.eqz (local.get $bits)))
            (i32.store16 (local.get $to) (i32.add (local.get $at) (i32.ctz (local.get $bits))))
            (local.set $to (i32.add (local.get $to) (i32.const 2)))
            (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
            (br $each)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $to) (global.get $PLACES)) (i32.const 1))))
