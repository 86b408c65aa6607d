import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { navigation } from './navigation.ts';
import { pagePermissions } from './page-permissions.ts';
import { createConsoleRouter } from './router.tsx';

const routes = Object.values(
  createConsoleRouter(new QueryClient(), { signedIn: false }, () => Promise.resolve()).routesById,
);
const pageOf = (path: string) =>
  routes.find(({ options }) => (options as { path?: string }).path === path)?.options.staticData?.page;

/** Pages of people who are not signed in. */
const open = ['link', 'login', 'setup'];
/** Is opened from the picture of the person, not from the menu. */
const besideMenu = ['profile'];

test('every folder of pages has its address, and every page that needs something is one of them', () => {
  const folders = readdirSync(join(import.meta.dirname, '../pages'));
  const addresses = new Set(routes.map(({ fullPath }) => String(fullPath).split('/')[1] || 'overview'));
  expect(folders.filter((name) => !addresses.has(name))).toEqual([]);
  const shown = new Set(routes.map(({ options }) => options.staticData?.page).filter((page) => page !== undefined));
  expect([...shown].toSorted()).toEqual(Object.keys(pagePermissions).toSorted());
  expect(folders.filter((name) => !open.includes(name) && !(name in pagePermissions))).toEqual([]);
});

test('the menu leads to every page, each at its address', () => {
  const entries = navigation.flatMap((group) => [...group.entries]);
  const named = [...entries.map(({ page }) => page), ...besideMenu];
  expect(named.toSorted()).toEqual(Object.keys(pagePermissions).toSorted());
  for (const { to, page } of entries) expect(pageOf(to), to).toBe(page);
});
