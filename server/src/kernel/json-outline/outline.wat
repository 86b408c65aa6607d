;; Copies JSON text to its outline, 64 bytes at a time where it is plain text. See index.ts, which drives it, for what an outline is.
;; After a change: node tools/assemble-wasm.mjs
(module
  ;; Classes of characters at 0, the block to be read at $BLOCK, the list of cuts at $CUTS, the outline at $OUTLINE.
  (memory (export "memory") 8)

  ;; By the code of a character: 1 for a hexadecimal digit, 2 for one that a backslash escapes by itself, 3 for both.
  (data (i32.const 0x22) "\02")
  (data (i32.const 0x2f) "\02")
  (data (i32.const 0x30) "\01\01\01\01\01\01\01\01\01\01")
  (data (i32.const 0x41) "\01\01\01\01\01\01")
  (data (i32.const 0x5c) "\02")
  (data (i32.const 0x61) "\01\03\01\01\01\03")
  (data (i32.const 0x6e) "\02\00\00\00\02\00\02")

  (global $BLOCK (export "BLOCK") i32 (i32.const 0x1000))
  (global $BLOCK_BYTES (export "BLOCK_BYTES") i32 (i32.const 0x10000))
  ;; Behind the block is room for a read beyond its end.
  (global $CUTS (export "CUTS") i32 (i32.const 0x12000))
  ;; For 5,461 cuts.
  (global $CUTS_END i32 (i32.const 0x21ffc))
  (global $OUTLINE (export "OUTLINE") i32 (i32.const 0x22010))
  ;; Behind the outline is room for a write beyond its end.
  (global $OUTLINE_END i32 (i32.const 0x7f000))
  ;; How much of a long text stays, at least, in bytes.
  (global $KEPT i32 (i32.const 64))

  ;; Where in a string: outside, in one that is kept, in the kept part of a text, in the part that is cut.
  (global $OUTSIDE i32 (i32.const 0))
  (global $KEPT_STRING i32 (i32.const 1))
  (global $TEXT i32 (i32.const 2))
  (global $CUT_TEXT i32 (i32.const 3))

  ;; An escape: none, 5 where the character behind the backslash comes next, 4 to 1 where so many hexadecimal digits come next.
  (global $NO_ESCAPE i32 (i32.const 0))
  (global $ESCAPE i32 (i32.const 5))

  ;; State between blocks. Ends of the outline and of the list of cuts: where in the outline each text begins, where it was cut, and by
  ;; how much, in bytes.
  (global $outline_end (export "outline_end") (mut i32) (i32.const 0))
  (global $cuts_end (export "cuts_end") (mut i32) (i32.const 0))
  (global $state (mut i32) (i32.const 0))
  (global $escape (mut i32) (i32.const 0))
  ;; First byte of the last string in the outline.
  (global $start (mut i32) (i32.const 0))
  ;; What is kept, and what is cut, of the present string.
  (global $kept (mut i32) (i32.const 0))
  (global $cut (mut i32) (i32.const 0))
  ;; Whether the last character outside strings, white space aside, was a colon.
  (global $after_colon (mut i32) (i32.const 0))

  ;; Begins another outline.
  (func (export "reset")
    (global.set $outline_end (global.get $OUTLINE))
    (global.set $cuts_end (global.get $CUTS))
    (global.set $state (global.get $OUTSIDE))
    (global.set $escape (global.get $NO_ESCAPE))
    (global.set $start (global.get $OUTLINE))
    (global.set $kept (i32.const 0))
    (global.set $cut (i32.const 0))
    (global.set $after_colon (i32.const 0)))

  ;; Whether a key is content", text", url", arguments", reasoning" or reasoning_content" (with the quote that ends it).
  (func $holds_text (param $key i32) (result i32)
    (local $word i64)
    (local.set $word (i64.load (local.get $key)))
    (if (i64.eq (local.get $word) (i64.const 0x22746e65746e6f63)) (then (return (i32.const 1))))
    (if (i64.eq (i64.and (local.get $word) (i64.const 0xffffffffff)) (i64.const 0x2274786574)) (then (return (i32.const 1))))
    (if (i64.eq (i64.and (local.get $word) (i64.const 0xffffffff)) (i64.const 0x226c7275)) (then (return (i32.const 1))))
    (if (i64.eq (local.get $word) (i64.const 0x746e656d75677261))
      (then (return (i32.eq (i32.load16_u offset=8 (local.get $key)) (i32.const 0x2273)))))
    (if (i64.ne (local.get $word) (i64.const 0x6e696e6f73616572)) (then (return (i32.const 0))))
    (if (i32.eq (i32.load16_u offset=8 (local.get $key)) (i32.const 0x2267)) (then (return (i32.const 1))))
    (i32.and
      (i64.eq (i64.load offset=8 (local.get $key)) (i64.const 0x6e65746e6f635f67))
      (i32.eq (i32.load16_u offset=16 (local.get $key)) (i32.const 0x2274))))

  ;; The bytes of a vector that end a string, or may not stand in it as they are: quote, backslash, control characters.
  (func $specials (param $bytes v128) (result v128)
    (v128.or
      (v128.or
        (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x22)))
        (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c))))
      (i8x16.lt_u (local.get $bytes) (i8x16.splat (i32.const 0x20)))))

  ;; How many bytes of a vector stand before the first of these; 16 where there is none.
  (func $plain_bytes (param $bytes v128) (result i32)
    (i32.ctz (i32.or (i32.const 0x10000) (i8x16.bitmask (call $specials (local.get $bytes))))))

  ;; The bytes of a vector that may follow a backslash: each half of a byte looks up the characters which have it.
  (func $escapable (param $bytes v128) (result v128)
    (v128.and
      (i8x16.swizzle (v128.const i8x16 0 0 13 0 8 8 4 0 0 0 0 0 2 0 4 1) (v128.and (local.get $bytes) (i8x16.splat (i32.const 15))))
      (i8x16.swizzle (v128.const i8x16 0 0 1 0 0 2 4 8 0 0 0 0 0 0 0 0) (i8x16.shr_u (local.get $bytes) (i32.const 4)))))

  ;; A bit for each of 64 bytes.
  (func $bits (param $a v128) (param $b v128) (param $c v128) (param $d v128) (result i64)
    (i64.or
      (i64.or
        (i64.extend_i32_u (i8x16.bitmask (local.get $a)))
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $b))) (i64.const 16)))
      (i64.or
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $c))) (i64.const 32))
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $d))) (i64.const 48)))))

  (func $equal (param $a v128) (param $b v128) (param $c v128) (param $d v128) (param $byte v128) (result i64)
    (call $bits
      (i8x16.eq (local.get $a) (local.get $byte))
      (i8x16.eq (local.get $b) (local.get $byte))
      (i8x16.eq (local.get $c) (local.get $byte))
      (i8x16.eq (local.get $d) (local.get $byte))))

  (func $below (param $a v128) (param $b v128) (param $c v128) (param $d v128) (param $byte v128) (result i64)
    (call $bits
      (i8x16.lt_u (local.get $a) (local.get $byte))
      (i8x16.lt_u (local.get $b) (local.get $byte))
      (i8x16.lt_u (local.get $c) (local.get $byte))
      (i8x16.lt_u (local.get $d) (local.get $byte))))

  ;; Whether the four bytes from $at on are hexadecimal digits.
  (func $four_digits (param $at i32) (result i32)
    (i32.and
      (i32.and
        (i32.load8_u (i32.load8_u (local.get $at)))
        (i32.load8_u (i32.load8_u offset=1 (local.get $at))))
      (i32.and
        (i32.load8_u (i32.load8_u offset=2 (local.get $at)))
        (i32.and (i32.const 1) (i32.load8_u (i32.load8_u offset=3 (local.get $at)))))))

  ;; What is left of an escape after its next character; -1 where that is wrong.
  (func $next_escape (param $escape i32) (param $char i32) (result i32)
    (local $class i32)
    (local.set $class (i32.load8_u (local.get $char)))
    (if (i32.ne (local.get $escape) (global.get $ESCAPE)) (then
      (return (select (i32.sub (local.get $escape) (i32.const 1)) (i32.const -1) (i32.and (local.get $class) (i32.const 1))))))
    (if (i32.eq (local.get $char) (i32.const 0x75)) (then (return (i32.const 4)))) ;; u
    (select (global.get $NO_ESCAPE) (i32.const -1) (i32.and (local.get $class) (i32.const 2))))

  ;; Reads a block of so many bytes. Returns 0 where there can be no outline: a text that is none in JSON, or too much to be kept.
  (func (export "read") (param $bytes i32) (result i32)
    (local $at i32) (local $end i32) (local $out i32) (local $state i32) (local $escape i32) (local $kept i32) (local $after_colon i32)
    (local $start i32) (local $cut_from i32) (local $char i32) (local $plain i32) (local $special i32) (local $many i32) (local $few i32) (local $read i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $slashes i64) (local $behind i64) (local $runs i64) (local $escaped i64) (local $quotes i64) (local $inside i64) (local $specials i64)
    (local.set $at (global.get $BLOCK))
    (local.set $end (i32.add (local.get $at) (local.get $bytes)))
    (local.set $cut_from (local.get $at))
    (local.set $out (global.get $outline_end))
    (local.set $state (global.get $state))
    (local.set $escape (global.get $escape))
    (local.set $kept (global.get $kept))
    (local.set $after_colon (global.get $after_colon))
    (local.set $start (global.get $start))
    (block $block_read
      (loop $next
        (br_if $block_read (i32.ge_u (local.get $at) (local.get $end)))
        (if (i32.ge_u (local.get $out) (global.get $OUTLINE_END)) (then (return (i32.const 0))))

        ;; An escape that the end of a block, or of 64 bytes, has cut in two.
        (if (local.get $escape) (then
          (local.set $char (i32.load8_u (local.get $at)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (if (i32.ne (local.get $state) (global.get $CUT_TEXT)) (then
            (i32.store8 (local.get $out) (local.get $char))
            (local.set $out (i32.add (local.get $out) (i32.const 1)))))
          (local.set $escape (call $next_escape (local.get $escape) (local.get $char)))
          (if (i32.lt_s (local.get $escape) (i32.const 0)) (then (return (i32.const 0))))
          (br $next)))

        (if (i32.eq (local.get $state) (global.get $CUT_TEXT)) (then
          (block $end_is_near
            (loop $window
              ;; The digits of an escape may stand behind the 64 bytes.
              (br_if $end_is_near (i32.gt_u (i32.add (local.get $at) (i32.const 72)) (local.get $end)))
              (local.set $a (v128.load (local.get $at)))
              (local.set $b (v128.load offset=16 (local.get $at)))
              (local.set $c (v128.load offset=32 (local.get $at)))
              (local.set $d (v128.load offset=48 (local.get $at)))
              (if (i32.eqz (i32.or (local.get $escape) (v128.any_true (v128.or
                  (v128.or (call $specials (local.get $a)) (call $specials (local.get $b)))
                  (v128.or (call $specials (local.get $c)) (call $specials (local.get $d)))))))
                (then
                  (local.set $at (i32.add (local.get $at) (i32.const 64)))
                  (br $window)))
              ;; A few are looked at one by one, such as the escaped ends of lines, sooner than all 64 bytes are. Where there were many, the
              ;; next blocks are not counted.
              (if (i32.eqz (i32.or (local.get $many) (local.get $escape)))
                (then
                  (local.set $specials (call $bits
                    (call $specials (local.get $a)) (call $specials (local.get $b))
                    (call $specials (local.get $c)) (call $specials (local.get $d))))
                  (local.set $few (i64.le_u (i64.popcnt (local.get $specials)) (i64.const 3)))
                  (if (i32.eqz (local.get $few)) (then (local.set $many (i32.const 16)))))
                (else
                  (local.set $few (i32.const 0))
                  (local.set $many (i32.sub (local.get $many) (i32.ne (local.get $many) (i32.const 0))))))
              (if (local.get $few)
                (then
                  (local.set $read (i32.const 64))
                  (block $all_read
                    (loop $one
                      (local.set $plain (i32.wrap_i64 (i64.ctz (local.get $specials))))
                      (local.set $special (i32.add (local.get $at) (local.get $plain)))
                      ;; The quote, or a control character, is for the loop below.
                      (if (i32.ne (i32.load8_u (local.get $special)) (i32.const 0x5c)) (then
                        (local.set $at (local.get $special))
                        (br $end_is_near)))
                      (local.set $char (i32.load8_u offset=1 (local.get $special)))
                      (if (i32.eq (local.get $char) (i32.const 0x75))
                        (then
                          (if (i32.eqz (call $four_digits (i32.add (local.get $special) (i32.const 2)))) (then (return (i32.const 0))))
                          (local.set $plain (i32.add (local.get $plain) (i32.const 6))))
                        (else
                          (if (i32.eqz (i32.and (i32.load8_u (local.get $char)) (i32.const 2))) (then (return (i32.const 0))))
                          (local.set $plain (i32.add (local.get $plain) (i32.const 2)))))
                      ;; Its end may stand behind the 64 bytes.
                      (if (i32.ge_u (local.get $plain) (i32.const 64)) (then
                        (local.set $read (local.get $plain))
                        (br $all_read)))
                      (local.set $specials (i64.and
                        (local.get $specials)
                        (i64.shl (i64.const -1) (i64.extend_i32_u (local.get $plain)))))
                      (br_if $one (i64.ne (local.get $specials) (i64.const 0)))))
                  (local.set $at (i32.add (local.get $at) (local.get $read)))
                  (br $window)))
              ;; Escaped is what stands behind an odd number of backslashes. A run of them that begins at an odd place carries, when
              ;; it is added to its first bit, to an odd place where it is even in length, and so on.
              (local.set $behind (i64.extend_i32_u (i32.ne (local.get $escape) (global.get $NO_ESCAPE))))
              (local.set $slashes (i64.and
                (call $equal (local.get $a) (local.get $b) (local.get $c) (local.get $d) (i8x16.splat (i32.const 0x5c)))
                (i64.xor (local.get $behind) (i64.const -1))))
              (local.set $behind (i64.or (local.get $behind) (i64.shl (local.get $slashes) (i64.const 1))))
              (local.set $runs (i64.add
                (local.get $slashes)
                (i64.and
                  (i64.and (local.get $slashes) (i64.const 0xaaaaaaaaaaaaaaaa))
                  (i64.xor (local.get $behind) (i64.const -1)))))
              (local.set $escaped (i64.and
                (local.get $behind)
                (i64.xor (i64.const 0x5555555555555555) (i64.shl (local.get $runs) (i64.const 1)))))
              (local.set $escape (select (global.get $ESCAPE) (global.get $NO_ESCAPE) (i64.lt_u (local.get $runs) (local.get $slashes))))
              (local.set $quotes (i64.and
                (call $equal (local.get $a) (local.get $b) (local.get $c) (local.get $d) (i8x16.splat (i32.const 0x22)))
                (i64.xor (local.get $escaped) (i64.const -1))))
              ;; What stands before the quote that ends the string.
              (local.set $inside (i64.and
                (i64.sub (local.get $quotes) (i64.const 1))
                (i64.xor (local.get $quotes) (i64.const -1))))
              (local.set $escaped (i64.and (local.get $escaped) (local.get $inside)))
              (if (i64.ne (i64.const 0) (i64.or
                  (i64.and
                    (local.get $inside)
                    (call $below (local.get $a) (local.get $b) (local.get $c) (local.get $d) (i8x16.splat (i32.const 0x20))))
                  (i64.and
                    (local.get $escaped)
                    (call $equal
                      (call $escapable (local.get $a))
                      (call $escapable (local.get $b))
                      (call $escapable (local.get $c))
                      (call $escapable (local.get $d))
                      (i8x16.splat (i32.const 0))))))
                (then (return (i32.const 0))))
              ;; Each escaped u.
              (local.set $escaped (i64.and
                (local.get $escaped)
                (call $equal (local.get $a) (local.get $b) (local.get $c) (local.get $d) (i8x16.splat (i32.const 0x75)))))
              (block $all_seen
                (loop $each
                  (br_if $all_seen (i64.eqz (local.get $escaped)))
                  (if (i32.eqz (call $four_digits
                      (i32.add (i32.add (local.get $at) (i32.const 1)) (i32.wrap_i64 (i64.ctz (local.get $escaped))))))
                    (then (return (i32.const 0))))
                  (local.set $escaped (i64.and (local.get $escaped) (i64.sub (local.get $escaped) (i64.const 1))))
                  (br $each)))
              (if (i64.eqz (local.get $quotes)) (then
                (local.set $at (i32.add (local.get $at) (i32.const 64)))
                (br $window)))
              (local.set $escape (global.get $NO_ESCAPE))
              (local.set $at (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $quotes)))))))
          (br_if $next (local.get $escape))
          ;; The quote that was found, or the last bytes of the block.
          (loop $vector
            (local.set $plain (call $plain_bytes (v128.load (local.get $at))))
            (local.set $at (i32.add (local.get $at) (local.get $plain)))
            (br_if $block_read (i32.ge_u (local.get $at) (local.get $end)))
            (br_if $vector (i32.eq (local.get $plain) (i32.const 16))))
          (local.set $char (i32.load8_u (local.get $at)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (if (i32.eq (local.get $char) (i32.const 0x5c)) (then
            (local.set $escape (global.get $ESCAPE))
            (br $next)))
          (if (i32.ne (local.get $char) (i32.const 0x22)) (then (return (i32.const 0))))
          (global.set $cut (i32.add (global.get $cut) (i32.sub (i32.sub (local.get $at) (i32.const 1)) (local.get $cut_from))))
          (if (global.get $cut) (then
            (if (i32.ge_u (global.get $cuts_end) (global.get $CUTS_END)) (then (return (i32.const 0))))
            (i32.store (global.get $cuts_end) (i32.sub (local.get $start) (global.get $OUTLINE)))
            (i32.store offset=4 (global.get $cuts_end) (i32.sub (local.get $out) (global.get $OUTLINE)))
            (i32.store offset=8 (global.get $cuts_end) (global.get $cut))
            (global.set $cuts_end (i32.add (global.get $cuts_end) (i32.const 12)))))
          (i32.store8 (local.get $out) (i32.const 0x22))
          (local.set $out (i32.add (local.get $out) (i32.const 1)))
          (local.set $state (global.get $OUTSIDE))
          (local.set $after_colon (i32.const 0))
          (br $next)))

        (if (local.get $state) (then
          (local.set $a (v128.load (local.get $at)))
          (local.set $plain (call $plain_bytes (local.get $a)))
          (if (i32.gt_u (local.get $plain) (i32.sub (local.get $end) (local.get $at)))
            (then (local.set $plain (i32.sub (local.get $end) (local.get $at)))))
          (v128.store (local.get $out) (local.get $a))
          (local.set $out (i32.add (local.get $out) (local.get $plain)))
          (local.set $at (i32.add (local.get $at) (local.get $plain)))
          (local.set $kept (i32.add (local.get $kept) (local.get $plain)))
          (br_if $block_read (i32.ge_u (local.get $at) (local.get $end)))
          ;; Behind whole vectors, or before what is special, no escape is cut in two.
          (if (i32.and (i32.eq (local.get $state) (global.get $TEXT)) (i32.ge_u (local.get $kept) (global.get $KEPT))) (then
            (local.set $state (global.get $CUT_TEXT))
            (local.set $cut_from (local.get $at))
            (global.set $cut (i32.const 0))
            (br $next)))
          (br_if $next (i32.eq (local.get $plain) (i32.const 16)))
          (local.set $char (i32.load8_u (local.get $at)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (i32.store8 (local.get $out) (local.get $char))
          (local.set $out (i32.add (local.get $out) (i32.const 1)))
          (if (i32.eq (local.get $char) (i32.const 0x5c)) (then
            (local.set $kept (i32.add (local.get $kept) (i32.const 2)))
            (local.set $escape (global.get $ESCAPE))
            (br $next)))
          (if (i32.ne (local.get $char) (i32.const 0x22)) (then (return (i32.const 0))))
          (local.set $state (global.get $OUTSIDE))
          (local.set $after_colon (i32.const 0))
          (br $next)))

        (local.set $char (i32.load8_u (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (i32.store8 (local.get $out) (local.get $char))
        (local.set $out (i32.add (local.get $out) (i32.const 1)))
        (if (i32.eq (local.get $char) (i32.const 0x22))
          (then
            (local.set $state (global.get $KEPT_STRING))
            (if (local.get $after_colon) (then
              (if (call $holds_text (local.get $start)) (then (local.set $state (global.get $TEXT))))))
            (local.set $start (local.get $out))
            (local.set $kept (i32.const 0)))
          (else
            (if (i32.gt_u (local.get $char) (i32.const 0x20))
              (then (local.set $after_colon (i32.eq (local.get $char) (i32.const 0x3a)))))))
        (br $next)))
    (if (i32.eq (local.get $state) (global.get $CUT_TEXT))
      (then (global.set $cut (i32.add (global.get $cut) (i32.sub (local.get $end) (local.get $cut_from))))))
    (global.set $outline_end (local.get $out))
    (global.set $state (local.get $state))
    (global.set $escape (local.get $escape))
    (global.set $kept (local.get $kept))
    (global.set $after_colon (local.get $after_colon))
    (global.set $start (local.get $start))
    (i32.const 1)))
