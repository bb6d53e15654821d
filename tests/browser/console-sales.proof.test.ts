import { dataOf } from '@event-commerce/client';
import { expect, test } from 'vitest';
import { pick, useConsole } from './console.ts';
import { newFestival, placeOrder } from './festival.ts';
import { waterfall } from './waterfall-rows.ts';

const { openWithKey, look, act, agree, newCompany } = useConsole();

test('a sale updates while orders come in; an order is found, explained, confirmed, cancelled and reopened', async () => {
  const { key, client } = await newCompany();
  const festival = await newFestival(client);
  const params = { path: { id: festival.event.id } };
  await dataOf(client.PATCH('/v1/events/{id}', { params, body: { capacity: 120 } }));
  const seated = { name: 'Seated', price: { amount: 9000, currency: 'EUR' }, capacity: 40 };
  await dataOf(client.POST('/v1/events/{id}/offerings', { params, body: seated }));
  const page = await openWithKey('/console/sales', key);
  await page.getByRole('heading', { name: 'No orders yet' }).waitFor();
  const tickets = (name: string) => page.locator('.bars li').filter({ hasText: name }).locator('.counts');
  await expect.poll(() => tickets('Standing').innerText()).toContain('100 left');
  await placeOrder(client, festival, { orderNumber: 'ONLINE-1', quantity: 20, coupons: ['summer20'] });
  await placeOrder(client, festival, { orderNumber: 'ONLINE-2', quantity: 10, expiresInSeconds: 600 });
  await expect.poll(() => tickets('Standing').innerText()).toMatch(/20 sold[^]*10 held[^]*70 left/);
  expect(await tickets('All tickets together').innerText()).toMatch(/^20 sold\s+10 held$/);
  const row = (orderNumber: string) => page.getByRole('row').filter({ hasText: orderNumber });
  expect(await row('ONLINE-1').innerText()).toContain('20 tickets');
  await look(page, 'sales');

  await act(page, 'ONLINE-2', 'Confirm');
  await agree(page, 'Confirm the order');
  await expect.poll(() => row('ONLINE-2').innerText()).toContain('placed');
  await page.getByLabel('Search').fill('online-1');
  await row('ONLINE-2').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'ONLINE-1' }).click();
  await expect
    .poll(() => waterfall(page))
    .toEqual([
      'List price €1,000.00',
      'Summer sale -€200.00',
      'Groups save -€100.00',
      'Busloads save -€300.00',
      'Booking fee +€2.50',
      'The buyer paid €402.50',
    ]);
  await look(page, 'order');
  const cancel = page.getByRole('button', { name: 'Cancel', exact: true });
  await cancel.click();
  expect(await agree(page, 'Cancel the order')).toMatch(/20 tickets go back on sale[^]*SUMMER20[^]*€402.50/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  await cancel.click();
  await agree(page, 'Cancel the order');
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
  await page.getByRole('link', { name: 'Why did nothing else apply?' }).click();
  await page.getByRole('link', { name: '20 × Standing' }).click();
  await expect
    .poll(() => page.locator('.reasons li').filter({ hasText: 'Members save' }).innerText())
    .toContain('segment');
  await page.goBack();
  await page.goBack();
  await page.getByRole('link', { name: 'All orders' }).click();
  await expect.poll(() => row('ONLINE-1').innerText()).toContain('cancelled');
  await expect.poll(() => tickets('Standing').innerText()).toMatch(/10 sold[^]*0 held[^]*90 left/);
  await act(page, 'ONLINE-1', 'Reopen');
  await agree(page, 'Reopen the order');
  await expect.poll(() => tickets('Standing').innerText()).toMatch(/30 sold[^]*70 left/);
});

test('orders are read with the keyboard alone', async () => {
  const { key, client } = await newCompany();
  const festival = await newFestival(client);
  for (const orderNumber of ['FIRST', 'SECOND', 'THIRD']) await placeOrder(client, festival, { orderNumber });
  const page = await openWithKey(`/console/sales?event=${festival.event.id}`, key);
  await page.getByRole('link', { name: 'THIRD' }).waitFor();
  const focused = async () => await page.evaluate('document.activeElement.innerText');
  const press = async (...keys: string[]) => {
    for (const one of keys) await page.keyboard.press(one);
    return await focused();
  };
  await page.getByLabel('Search').focus();
  // Letters are typed in a field; from it, the arrow down leads into the list.
  expect(await press('ArrowDown')).toBe('THIRD');
  expect(await press('j')).toBe('SECOND');
  expect(await press('ArrowDown', 'ArrowDown')).toBe('FIRST');
  expect(await press('k')).toBe('SECOND');
  await page.getByText('Enter: open.').waitFor();
  await look(page, 'orders-keyboard');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Order SECOND' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'SECOND' }).waitFor();
  await expect.poll(focused).toBe('SECOND');
});

test('an order is amended as its preview says, and lists its amendments', async () => {
  const { key, client } = await newCompany();
  const festival = await newFestival(client);
  const params = { path: { id: festival.event.id } };
  const seated = { name: 'Seated', price: { amount: 9000, currency: 'EUR' }, capacity: 40 };
  await dataOf(client.POST('/v1/events/{id}/offerings', { params, body: seated }));
  await placeOrder(client, festival, { orderNumber: 'GROUP-1', quantity: 4, coupons: ['summer20'] });
  const page = await openWithKey(`/console/sales?event=${festival.event.id}`, key);
  await page.getByRole('link', { name: 'GROUP-1' }).click();
  await page.getByRole('button', { name: 'Amend' }).click();
  await page.getByLabel('Standing').fill('3');
  await page.getByLabel('Reason').fill('One guest fell ill');
  await page.getByRole('button', { name: 'Preview' }).click();
  const mode = (name: string) => page.getByRole('region', { name });
  await mode('Keep the prices').getByText('To pay back €35.62').waitFor();
  expect(await mode('Price it again').innerText()).toMatch(/Groups save[^]*-€20.00 → €0.00/);
  await look(page, 'amend');

  await pick(page, 'Add', 'Seated');
  await page.getByText('This changed since the preview').waitFor();
  await page.getByRole('button', { name: 'Preview' }).click();
  await mode('Keep the prices').getByText('€36.38 more to pay').waitFor();
  await look(page, 'amend-added', { accessible: false });
  await page.getByRole('button', { name: 'Apply kept prices' }).click();
  expect(await agree(page, 'Apply kept prices')).toMatch(
    /Amend order GROUP-1\?[^]*€36.38 more to pay\.[^]*The order then costs €178.88\./,
  );
  await page.getByText('Amended. €36.38 more to pay. The order costs €178.88.').waitFor();
  await page.getByRole('row', { name: 'The buyer paid €178.88' }).waitFor();
  await page.getByText('One guest fell ill').waitFor();
  await page.getByText('What changed').click();
  await expect.poll(() => page.locator('.history .amended').innerText()).toMatch(/Standing\s+4 → 3[^]*Seated\s+0 → 1/);
  await look(page, 'amended');

  const pending = page.getByRole('region', { name: 'Pending amendment' });
  const hold = async () => {
    await page.getByRole('button', { name: 'Amend' }).click();
    await pick(page, 'Add', 'Seated');
    await page.getByLabel('Apply it').selectOption({ label: 'Once it is paid, within 15 minutes' });
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Apply kept prices' }).click();
    expect(await agree(page, 'Apply kept prices')).toContain('until you confirm the amendment');
    await page.getByText('Held until the amendment is confirmed.').waitFor();
  };
  await hold();
  await expect.poll(() => pending.locator('time').first().innerText()).toMatch(/^14:\d\d$/);
  expect(await page.getByRole('button', { name: 'Amend', exact: true }).count()).toBe(0);
  await page.getByRole('row', { name: 'The buyer paid €178.88' }).waitFor();
  await look(page, 'amendment-pending');
  await pending.getByRole('button', { name: 'Cancel the amendment' }).click();
  await agree(page, 'Cancel the amendment');
  await pending.waitFor({ state: 'detached' });
  await page.locator('.history .badge').filter({ hasText: 'cancelled' }).waitFor();
  await hold();
  await pending.getByRole('button', { name: 'Confirm the amendment' }).click();
  await agree(page, 'Confirm the amendment');
  await pending.waitFor({ state: 'detached' });
  await page.getByRole('row', { name: 'The buyer paid €178.88' }).waitFor({ state: 'detached' });
});

test('orders are listed by their offerings or by the event that they name, and lead back to that list', async () => {
  const { key, client } = await newCompany();
  const festival = await newFestival(client);
  await placeOrder(client, festival, { orderNumber: 'TICKET-1', contextId: 'ven_hall' });
  await placeOrder(client, festival, { orderNumber: 'POSTER-1', items: [{ name: 'Poster', unitPrice: 900 }] });
  const page = await openWithKey(`/console/sales?event=${festival.event.id}`, key);
  const order = (orderNumber: string) => page.getByRole('link', { name: orderNumber });
  const list = async (here: string, other: string) => {
    await order(here).waitFor();
    expect(await order(other).count()).toBe(0);
  };
  await list('TICKET-1', 'POSTER-1');
  await order('TICKET-1').click();
  await page.getByText('ven_hall').waitFor();
  await page.getByRole('link', { name: 'All orders' }).click();
  await list('TICKET-1', 'POSTER-1');
  await page.getByLabel('Which orders').selectOption('That name this event');
  await order('TICKET-1').waitFor({ state: 'detached' });
  await order('POSTER-1').click();
  await page.getByRole('heading', { name: 'How the price is made up' }).waitFor();
  await page.getByRole('link', { name: 'All orders' }).click();
  await list('POSTER-1', 'TICKET-1');
  const lost = await openWithKey('/console/sales?event=ven_hall', key);
  await pick(lost, 'Event', 'sum fest');
  await lost.getByRole('link', { name: 'TICKET-1' }).waitFor();
});

test('a view waits for a slow response, and reports an error beside what it showed last', async () => {
  const { key, client } = await newCompany();
  await placeOrder(client, await newFestival(client), { orderNumber: 'ONLINE-1', quantity: 1 });
  const page = await openWithKey('/console/sales', key);
  const order = page.getByRole('link', { name: 'ONLINE-1' });
  await order.waitFor();
  const answer = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**/v1/orders?*', async (route) => {
    asked += 1;
    await answer.promise;
    await route.fulfill({ status: 500, json: { error: { code: 'INTERNAL_ERROR', message: 'It broke.' } } });
  });
  // Tickets are loaded as often as orders.
  for (let turn = 0; turn < 3; turn++) await page.waitForResponse(/offerings/);
  expect(asked).toBe(1);
  answer.resolve();
  await page.getByText('Not up to date: It broke.').waitFor();
  expect(await order.count()).toBe(1);
  await page.unroute('**/v1/orders?*');
  await page.getByText('Not up to date').waitFor({ state: 'detached' });
});

test('tables are closed, and groups merged', async () => {
  const { key, client } = await newCompany();
  const series = await dataOf(
    client.POST('/v1/events', {
      body: { kind: 'series', name: 'Tuesday jazz', timezone: 'Europe/Berlin', capacity: 120, status: 'published' },
    }),
  );
  const date = await dataOf(
    client.POST('/v1/events/{seriesId}/instances', {
      params: { path: { seriesId: series.id } },
      body: { name: 'New Year special', startsAt: '2027-01-05T20:00', capacity: 80 },
    }),
  );
  const params = { path: { id: date.id } };
  for (const [name, size] of [
    ['The choir', 12],
    ['The orchestra', 8],
  ] as const) {
    await dataOf(client.POST('/v1/events/{id}/purchase-groups', { params, body: { name, size } }));
  }
  const page = await openWithKey(`/console/sales?event=${date.id}&show=tables`, key);
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  await page.getByLabel('Name').fill('table-7');
  await page.getByRole('button', { name: 'Add a table' }).click();
  await row('table-7').waitFor();
  const session = await dataOf(client.POST('/v1/cart/sessions', { body: { contextId: date.id } }));
  await dataOf(
    client.POST('/v1/cart/sessions/{id}/join-table', {
      params: { path: { id: session.id } },
      body: { tableCommitmentId: 'table-7' },
    }),
  );
  await expect.poll(() => row('table-7').innerText()).toContain('1 of 8');
  await row('table-7').getByLabel('Seats', { exact: true }).fill('10');
  await row('table-7').getByRole('button', { name: 'Change' }).click();
  await expect.poll(() => row('table-7').innerText()).toContain('1 of 10');
  expect(await row('table-7').innerText()).toContain('not ordered');
  await act(page, 'table-7', 'Close');
  expect(await agree(page, 'Close the table')).toContain('9 free seats');
  await expect.poll(() => row('table-7').innerText()).toContain('closed');
  await look(page, 'tables', { accessible: false });

  const answer = Promise.withResolvers<void>();
  const created: string[] = [];
  await page.route('**/v1/cart/table-commitments', async (route) => {
    created.push(route.request().postData() ?? '');
    await answer.promise;
    await route.continue();
  });
  await page.getByLabel('Name').fill('table-7');
  await page.getByRole('button', { name: 'Add a table' }).dblclick();
  await page.getByRole('button', { name: 'Add a table' }).and(page.locator(':disabled')).waitFor();
  answer.resolve();
  await expect.poll(() => page.getByRole('alert').innerText()).toContain('table-7');
  expect(created).toHaveLength(1);
  expect(await page.getByLabel('Name').inputValue()).toBe('table-7');

  await page.getByRole('link', { name: 'Groups' }).click();
  await page.getByRole('button', { name: 'Merge The choir' }).click();
  await page.getByText('20 people together.').waitFor();
  await page.getByLabel('Why').fill('They want to sit together');
  await look(page, 'groups');
  await page.getByRole('button', { name: 'Merge', exact: true }).click();
  await row('The choir').waitFor({ state: 'detached' });
  expect(await row('The orchestra').innerText()).toContain('20 people');
});
