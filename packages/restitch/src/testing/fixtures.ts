/**
 * Fixtures for a controller, without React and without a DOM.
 *
 * @module restitch/testing/fixtures
 */
export type { ErrorFixture, Fixture, Fixtures, FixtureValue, ResponseFixture } from './Fixture.js';
export { mockFixtures } from './mockFixtures.js';
