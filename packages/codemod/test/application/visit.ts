/** The actions of a person in the application, and the texts that appear. */
import type { Page } from 'playwright';

/** Goes through every request and failure of the application; the texts that were shown on the way. */
export async function visit(page: Page): Promise<readonly string[]> {
  const shown: string[] = [];
  const sees = async (text: string): Promise<void> => {
    await page.getByText(text).first().waitFor();
    shown.push((await page.locator('#root').innerText()).trim());
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await page.getByLabel('Name').fill('ann');
  await page.getByLabel('Password').fill('wrong');
  await button('Sign in').click();
  await sees('Name or password is wrong.');
  await page.getByLabel('Password').fill('right');
  await button('Sign in').click();
  await sees('2 × lamp');

  await button('Order').click();
  await sees('Say what to order.');
  await page.getByLabel('Item').fill('chair & table');
  await button('Order').click();
  // The next list is refused with 401: the token is renewed, and the list fetched again.
  await sees('2 × chair & table');

  await page.getByLabel('Search').fill('x');
  await sees('The orders are being counted.');
  await page.getByLabel('Search').fill('');
  await sees('2 × lamp');

  const uploaded = page.waitForResponse((response) => response.url().endsWith('/invoice'));
  await page.getByLabel('Invoice of lamp').setInputFiles({
    name: 'invoice.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('two lamps'),
  });
  await uploaded;
  await button('Cancel lamp').click();
  await page.getByText('2 × lamp').waitFor({ state: 'detached' });
  shown.push((await page.locator('#root').innerText()).trim());
  return shown;
}
