import fc from 'fast-check';
import { expect, test } from 'vitest';
import { porterStem } from './porter.ts';

// Source: the examples of Porter's paper, step by step.
const examples: Readonly<Record<string, string>> = {
  caresses: 'caress',
  ponies: 'poni',
  ties: 'ti',
  caress: 'caress',
  cats: 'cat',
  feed: 'feed',
  agreed: 'agre',
  plastered: 'plaster',
  bled: 'bled',
  motoring: 'motor',
  sing: 'sing',
  conflated: 'conflat',
  troubled: 'troubl',
  sized: 'size',
  hopping: 'hop',
  tanned: 'tan',
  falling: 'fall',
  hissing: 'hiss',
  fizzed: 'fizz',
  failing: 'fail',
  filing: 'file',
  happy: 'happi',
  sky: 'sky',
  relational: 'relat',
  conditional: 'condit',
  rational: 'ration',
  valenci: 'valenc',
  hesitanci: 'hesit',
  digitizer: 'digit',
  conformabli: 'conform',
  radicalli: 'radic',
  differentli: 'differ',
  vileli: 'vile',
  analogousli: 'analog',
  vietnamization: 'vietnam',
  predication: 'predic',
  operator: 'oper',
  feudalism: 'feudal',
  decisiveness: 'decis',
  hopefulness: 'hope',
  callousness: 'callous',
  formaliti: 'formal',
  sensitiviti: 'sensit',
  sensibiliti: 'sensibl',
  triplicate: 'triplic',
  formative: 'form',
  formalize: 'formal',
  electriciti: 'electr',
  electrical: 'electr',
  hopeful: 'hope',
  goodness: 'good',
  revival: 'reviv',
  allowance: 'allow',
  inference: 'infer',
  airliner: 'airlin',
  gyroscopic: 'gyroscop',
  adjustable: 'adjust',
  defensible: 'defens',
  irritant: 'irrit',
  replacement: 'replac',
  adjustment: 'adjust',
  dependent: 'depend',
  adoption: 'adopt',
  homologou: 'homolog',
  communism: 'commun',
  activate: 'activ',
  angulariti: 'angular',
  homologous: 'homolog',
  effective: 'effect',
  bowdlerize: 'bowdler',
  probate: 'probat',
  rate: 'rate',
  cease: 'ceas',
  controll: 'control',
  roll: 'roll',
};

test.each(Object.entries(examples))('%s has the stem %s', (word, stem) => {
  expect(porterStem(word)).toBe(stem);
});

test.each(['가나다', 'naïve', 'a', 'is', 'x2', ''])('%j comes back as it is', (word) => {
  expect(porterStem(word)).toBe(word);
});

test('a stem is never longer than its word by more than a letter, and never empty', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aeiouybcdlst'), minLength: 3, maxLength: 12 }), (word) => {
      const stem = porterStem(word);
      expect(stem).not.toBe('');
      expect(stem.length).toBeLessThanOrEqual(word.length);
    }),
  );
});
