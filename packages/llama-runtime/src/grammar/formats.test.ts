import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formats, unboundedFormats } from './formats.ts';

const ajv = addFormats.default(new Ajv2020({ strict: false, formats: {} }));
/** Formats that the other implementation does not know; their texts are those of a narrower one. */
const narrower: Readonly<Record<string, string>> = {
  'idn-email': 'email',
  'idn-hostname': 'hostname',
  iri: 'uri',
  'iri-reference': 'uri-reference',
};

const expression = (name: string, from = formats) => new RegExp(`^(?:${from[name] ?? ''})$`);

describe('formats of strings', () => {
  it.each(Object.keys(formats))('%s: texts have it, as an implementation of its own tells', (name) => {
    const validate = ajv.compile({ type: 'string', format: narrower[name] ?? name });
    fc.assert(
      fc.property(
        fc.stringMatching(expression(name)),
        fc.stringMatching(expression(name, unboundedFormats)),
        (...texts) => {
          for (const text of texts) expect([text, validate(text)]).toEqual([text, true]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['date', ['2024-02-29', '0800-12-31'], ['2023-02-29', '2024-13-01', '2024-04-31', '1900-02-29', '0000-01-01']],
    ['time', ['23:59:59.123456789+23:59', '00:00:00Z'], ['24:00:00Z', '12:00', '12:00:60Z']],
    ['date-time', ['2026-11-21T07:28:00+09:00'], ['2026-11-21 07:28:00Z', '2026-11-21T07:28:00']],
    ['email', ['gil-dong.hong+news@example.go.kr', 'A_b@x.IO'], ['a@b', 'a..b@c.kr', '@c.kr']],
    ['ipv4', ['0.0.0.0', '255.249.199.99'], ['256.1.1.1', '01.1.1.1', '1.1.1']],
    ['ipv6', ['::', '::1', '2001:db8::8a2e:370:7334', 'fe80::'], ['1::2::3', '1:2:3:4:5:6:7', ':::']],
    [
      'uri',
      ['https://www.data.go.kr:8080/a/b.do?x=1&y=%EA%B0%80#top', 'mailto:a.b@x.kr', 'urn:isbn:0451450523'],
      ['data.go.kr', 'http://'],
    ],
    [
      'uuid',
      ['01890a5d-ac96-774b-bcce-b302099a8057'],
      ['01890a5dac96774bbcceb302099a8057', '01890a5d-ac96-974b-bcce-b302099a8057'],
    ],
    ['duration', ['P1Y2M3D', 'PT1H30M', 'P3W', 'P1DT12H'], ['P', 'PT', '1D']],
  ])('%s: has the texts that are wanted', (name, valid, invalid) => {
    const whole = new RegExp(`^(?:${formats[name] ?? ''})$`, 'u');
    for (const text of valid) expect([text, whole.test(text)]).toEqual([text, true]);
    for (const text of invalid) expect([text, whole.test(text)]).toEqual([text, false]);
  });
});
