import { expect, test } from 'vitest';
import { bodyOf, draftOf, draftOfOther, faultOf, isFilled, kindNames, schedules } from './kinds.ts';

test('what is written in the fields is sent as settings and secrets; what is empty is left out', () => {
  const draft = { url: ' https://dav.example.kr/docs ', username: 'u', password: ' p ', endings: 'PDF, .hwp *.md' };
  expect(bodyOf('webdav', draft)).toEqual({
    settings: { kind: 'webdav', url: 'https://dav.example.kr/docs', endings: ['pdf', 'hwp', 'md'] },
    secrets: { username: 'u', password: ' p ' },
  });
  expect(bodyOf('folder', { path: '/srv', endings: ' ' })).toEqual({
    settings: { kind: 'folder', path: '/srv' },
    secrets: null,
  });
});

test('a source that is there is shown as it was written, without its secrets', () => {
  const draft = draftOf('webdav', { kind: 'webdav', url: 'https://x.kr/', endings: ['pdf', 'md'] });
  expect(draft).toMatchObject({ url: 'https://x.kr/', endings: 'pdf, md', username: '', password: '' });
  expect(bodyOf('webdav', draft).settings).toEqual({ kind: 'webdav', url: 'https://x.kr/', endings: ['pdf', 'md'] });
  // What a Drive is read by are secrets, which stay where they are left out.
  for (const kind of kindNames) expect(isFilled(kind, {})).toBe(kind === 'google_drive');
  expect(isFilled('folder', { path: '/srv' })).toBe(true);
});

test('schedules are those that the operator allows', () => {
  expect(schedules(60, null)).toEqual([60, 360, 720, 1_440, 10_080]);
  expect(schedules(15, 90)).toContain(90);
  expect(schedules(43_200, null)).toEqual([43_200]);
});

test('fields of one name stand for what their kind calls so; words are sent as they are written', () => {
  expect(bodyOf('google_drive', { drive_folder: 'a1', service_account: '{}' })).toEqual({
    settings: { kind: 'google_drive', folder: 'a1' },
    secrets: { service_account: '{}' },
  });
  expect(draftOf('google_drive', { kind: 'google_drive', folder: 'a1' })).toMatchObject({ drive_folder: 'a1' });
  expect(bodyOf('confluence', { url: 'https://x.kr/', spaces: 'HR, it', files: 'false' }).settings).toEqual({
    kind: 'confluence',
    url: 'https://x.kr/',
    spaces: ['HR', 'it'],
    files: false,
  });
  const app = { tenant: 'x.kr', client_id: 'c' };
  expect([isFilled('sharepoint', app), isFilled('sharepoint', { ...app, user: 'a@x.kr' })]).toEqual([false, true]);
});

test('what is written goes along to another kind, and not the usual port of the last one', () => {
  const postgres = { ...draftOf('postgresql', null), host: 'db.kr' };
  expect(draftOfOther(postgres, 'postgresql', 'mysql')).toMatchObject({ host: 'db.kr', port: '3306' });
  expect(draftOfOther({ ...postgres, port: '6000' }, 'postgresql', 'mysql')).toMatchObject({ port: '6000' });
});

test('what the service refuses is the field that is wrong', () => {
  expect(faultOf('git', {}, 'settings.url')).toBe('url');
  expect(faultOf('confluence', {}, 'settings.spaces[1]')).toBe('spaces');
  expect(faultOf('google_drive', {}, 'settings.folder')).toBe('drive_folder');
  expect(faultOf('mysql', { username: 'u' }, 'secrets')).toBe('password');
  expect(faultOf('google_drive', { service_account: '{' }, 'secrets')).toBe('service_account');
  for (const param of [null, 'name', 'settings', 'settings.kind']) expect(faultOf('web', {}, param)).toBeNull();
});
