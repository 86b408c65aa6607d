import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import type { Warning } from '../document.ts';
import { ParseError } from '../parse-error.ts';
import { attributeOf, childOf, childrenOf, innerText, parseXml } from './xml.ts';

const read = (xml: string | Uint8Array, depth = 100, warnings: Warning[] = []) =>
  parseXml(Buffer.from(xml), {
    namespaces: { 'urn:a': 'a', 'urn:a-strict': 'a', 'urn:b': 'b' },
    depth,
    part: 'test.xml',
    warn: (warning) => warnings.push(warning),
  });

test('namespaces count by their address, not by their prefix', () => {
  const root = read('<x:r xmlns:x="urn:a" x:v="1" w="2"><p xmlns="urn:b"><x:q/></p><o xmlns="urn:other"/></x:r>');
  expect(root.name).toBe('a:r');
  expect({ ...root.attributes }).toMatchObject({ 'a:v': '1', w: '2' });
  expect([...childrenOf(root)].map(({ name }) => name)).toEqual(['b:p', '?:o']);
  expect(childOf(childOf(root, 'b:p'), 'a:q')).toBeDefined();
  expect(read('<r xmlns="urn:a-strict"/>').name).toBe('a:r');
});

test('prefixes that are not declared mean what the reader calls so', () => {
  expect(read('<a:r><c:x/></a:r>')).toMatchObject({ name: 'a:r', children: [{ name: '?:x' }] });
});

test('text, CDATA and the five entities are read', () => {
  const root = read('<r>a &amp; b<![CDATA[<c>]]>&#xAC00;</r>');
  expect(innerText(root)).toBe('a & b<c>가');
});

test.each(['utf-16le', 'utf-16be', 'euc-kr', 'utf-8'])('%s is read', (charset) => {
  const xml = `<?xml version="1.0" encoding="${charset.startsWith('utf-16') ? 'utf-16' : charset}"?><r>한글</r>`;
  expect(innerText(read(iconv.encode(xml, charset, { addBOM: charset.startsWith('utf-16') })))).toBe('한글');
});

test('a document type is refused, and so entities are', () => {
  expect(() => read('<!DOCTYPE r [<!ENTITY a "aaaa">]><r>&a;</r>')).toThrow(ParseError);
  expect(() => read('<!DOCTYPE r PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN" "a.dtd"><r/>')).not.toThrow();
});

test('elements too deep within each other are refused', () => {
  expect(() => read('<r>'.repeat(101))).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
  expect(() => read('<r>'.repeat(100))).not.toThrow();
});

test('what is not well formed is read as far as it goes, with a warning', () => {
  const warnings: Warning[] = [];
  const root = read('<r a="1" a="2"><p>one &nbsp; two</p><p>three', 100, warnings);
  expect(innerText(root)).toBe('one &nbsp; twothree');
  expect(attributeOf(root, 'a')).toBeDefined();
  expect(warnings.map(({ code }) => code)).toEqual(['xml_malformed']);
});

test('a long text is read paragraph by paragraph', () => {
  const seen: string[] = [];
  const root = parseXml(
    Buffer.from('<r><b> <p>1</p><p><b><p>2</p></b></p></b><e/></r>'),
    { namespaces: {}, depth: 100, part: 'test.xml' },
    { within: '?:b', each: (element) => seen.push(innerText(element)) },
  );
  expect(seen).toEqual(['1', '2']);
  expect(innerText(root)).toBe('');
  expect(childOf(root, '?:e')).toBeDefined();
});

test('a letter that lies across two pieces of a large part stays whole', () => {
  const text = '가'.repeat(200_000);
  expect(innerText(read(`<r>x${text}</r>`))).toBe(`x${text}`);
});

test('any damage is a ParseError or is read around', () => {
  const xml = '<?xml version="1.0"?><x:r xmlns:x="urn:a"><x:p v="1">text &amp; <![CDATA[c]]></x:p></x:r>';
  fc.assert(
    fc.property(fc.nat(xml.length), fc.nat(xml.length), fc.string({ maxLength: 5 }), (from, length, put) => {
      try {
        read(xml.slice(0, from) + put + xml.slice(from + length));
      } catch (error) {
        expect(error).toBeInstanceOf(ParseError);
      }
    }),
    { numRuns: 500 },
  );
});
