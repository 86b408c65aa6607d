import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { late } from './late.tsx';

const Waiting = ({ name }: { readonly name: string }) => createElement('i', null, name);
const Part = ({ name }: { readonly name: string }) => createElement('b', null, name);

test('what is fetched is drawn at once, without another moment of what stands in for it', async () => {
  const Late = late(() => Promise.resolve(Part), Waiting);
  const draw = () => renderToStaticMarkup(createElement(Late, { name: 'list' }));
  expect(draw()).toBe('<i>list</i>');
  await Late.preload();
  expect(draw()).toBe('<b>list</b>');
});

test('it is fetched once, and again after a failure', async () => {
  let asked = 0;
  const Late = late(() => {
    asked += 1;
    return asked === 1 ? Promise.reject(new Error('away')) : Promise.resolve(Part);
  }, Waiting);
  await expect(Late.preload()).rejects.toThrow('away');
  await Promise.all([Late.preload(), Late.preload()]);
  expect(asked).toBe(2);
  expect(renderToStaticMarkup(createElement(Late, { name: 'list' }))).toBe('<b>list</b>');
});
