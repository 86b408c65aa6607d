import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOnnx } from './onnx.ts';

// The smallest models that sherpa-onnx runs: they hear high and low tones, and hum letters.

const MEL = 80;
/** `<blk>` is the last, as NeMo has it. */
const tokens = ['▁low', '▁high', '<blk>'];

/** A model that writes `low` for sounds below about 1 kHz, and `high` for those above. */
export function writeHearingModel(folder: string): void {
  mkdirSync(folder, { recursive: true });
  // Where the bins of the one are quiet (their logarithms far below zero), the sound is the other; where all are, it is none.
  const weights = new Float32Array(MEL * tokens.length);
  for (let bin = 0; bin < MEL; bin++) {
    weights[bin * tokens.length + (bin < MEL / 2 ? 1 : 0)] = -0.05;
    weights[bin * tokens.length + 2] = -0.0265;
  }
  writeFileSync(
    join(folder, 'model.onnx'),
    writeOnnx({
      inputs: [
        { name: 'audio_signal', type: 'float', shape: ['N', MEL, 'T'] },
        { name: 'length', type: 'int64', shape: ['N'] },
      ],
      outputs: [{ name: 'logprobs', type: 'float', shape: ['N', 'T', tokens.length] }],
      constants: [{ name: 'weights', shape: [MEL, tokens.length], values: weights }],
      nodes: [
        { op: 'Transpose', inputs: ['audio_signal'], output: 'frames', attributes: { perm: [0, 2, 1] } },
        { op: 'MatMul', inputs: ['frames', 'weights'], output: 'logits' },
        { op: 'LogSoftmax', inputs: ['logits'], output: 'logprobs', attributes: { axis: 2 } },
      ],
      metadata: {
        vocab_size: String(tokens.length),
        subsampling_factor: '1',
        normalize_type: '',
        model_type: 'EncDecCTCModelBPE',
      },
    }),
  );
  writeFileSync(join(folder, 'tokens.txt'), tokens.map((token, id) => `${token} ${id}\n`).join(''));
}

/** Samples of a letter, and their rate. */
const LETTER = 2_000;
const RATE = 16_000;
const letters = [...'_ abcdefghijklmnopqrstuvwxyz.,!?'];

/** A model that hums for each letter, at 400 Hz. */
export function writeSpeakingModel(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const hum = Float32Array.from({ length: LETTER }, (_, i) => Math.sin((2 * Math.PI * 400 * i) / RATE) * 0.5);
  writeFileSync(
    join(folder, 'model.onnx'),
    writeOnnx({
      inputs: [
        { name: 'x', type: 'int64', shape: ['N', 'L'] },
        { name: 'x_length', type: 'int64', shape: ['N'] },
        { name: 'noise_scale', type: 'float', shape: [1] },
        { name: 'length_scale', type: 'float', shape: [1] },
        { name: 'noise_scale_w', type: 'float', shape: [1] },
      ],
      outputs: [{ name: 'y', type: 'float', shape: ['N', 1, 'S'] }],
      constants: [
        { name: 'one', shape: [1], values: BigInt64Array.from([-1n]) },
        { name: 'hum', shape: [1, LETTER], values: hum },
        { name: 'flat', shape: [3], values: BigInt64Array.from([1n, 1n, -1n]) },
        { name: 'zero', shape: [1], values: Float32Array.from([0]) },
        { name: 'loud', shape: [1], values: Float32Array.from([1]) },
      ],
      nodes: [
        { op: 'Unsqueeze', inputs: ['x', 'one'], output: 'each' },
        { op: 'Cast', inputs: ['each'], output: 'number', attributes: { to: 1 } },
        { op: 'Mul', inputs: ['number', 'zero'], output: 'none' },
        { op: 'Add', inputs: ['none', 'loud'], output: 'all' },
        { op: 'MatMul', inputs: ['all', 'hum'], output: 'sound' },
        { op: 'Reshape', inputs: ['sound', 'flat'], output: 'y' },
      ],
      metadata: {
        sample_rate: String(RATE),
        add_blank: '0',
        n_speakers: '1',
        language: 'English',
        comment: 'characters',
        frontend: 'characters',
        punctuation: '. , ! ?',
        use_eos_bos: '0',
        blank_id: '0',
        bos_id: '0',
        eos_id: '0',
        pad_id: '0',
      },
    }),
  );
  writeFileSync(join(folder, 'tokens.txt'), letters.map((letter, id) => `${letter} ${id}\n`).join(''));
}
