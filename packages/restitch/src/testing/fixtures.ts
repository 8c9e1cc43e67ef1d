export type { ErrorFixture, Fixture, Fixtures, FixtureValue, ResponseFixture } from './Fixture.js';
export { mockFixtures } from './mockFixtures.js';
