import { expect, test } from 'vitest';
import { readPeople } from './people-file.ts';

const read = (text: string, known: readonly string[] = []) =>
  readPeople(text, { known: new Set(known), usual: 'user' })?.map(({ line, email, name, role, problem }) => [
    line,
    email,
    name,
    role,
    problem,
  ]);

test('people are read by their headings, in both languages and any order', () => {
  expect(read('이름,역할,이메일\r\n김민수,개발자,kim@example.kr\r\n')).toEqual([
    [2, 'kim@example.kr', '김민수', 'developer', null],
  ]);
  expect(read('\uFEFFE-mail;Name;Role\nlee@example.kr;"Lee; Jr";admin')).toEqual([
    [2, 'lee@example.kr', 'Lee; Jr', 'administrator', null],
  ]);
});

test('without headings they stand as address, name, role, as copied from a spreadsheet', () => {
  expect(read('kim@example.kr\t김민수\t관리자\nlee@example.kr\t이영희')).toEqual([
    [1, 'kim@example.kr', '김민수', 'administrator', null],
    [2, 'lee@example.kr', '이영희', 'user', null],
  ]);
});

test('each line tells what is wrong with it; empty ones are left out, and lines are those of the file', () => {
  const text = [
    'email,name,role',
    'kim@example.kr,김민수,user',
    '',
    'not an address,박,user',
    'park@example.kr,,user',
    'choi@example.kr,최,장관',
    'KIM@example.kr,김민수,user',
    'old@example.kr,오래됨,user',
  ].join('\n');
  expect(read(text, ['old@example.kr'])?.map(([line, , , , problem]) => [line, problem])).toEqual([
    [2, null],
    [4, 'email'],
    [5, 'name'],
    [6, 'role'],
    [7, 'twice'],
    [8, 'member'],
  ]);
});

test('nothing is read of nothing', () => {
  expect(read('')).toEqual([]);
  expect(read('email,name,role\n')).toEqual([]);
  expect(read('email,name\nkim@example.kr,"Kim')).toBeUndefined();
});
